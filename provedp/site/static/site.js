// The search and the choice of a theme, which are all that needs a script. The claims are read when
// they are first searched.
"use strict";
(() => {
  const root = document.currentScript.dataset.root;
  const place = document.querySelector(".search");
  const query = document.getElementById("query");
  const list = document.getElementById("found");
  const count = document.getElementById("count");
  const MOST = 12;
  const plain = (text) => text.normalize("NFKD").toLowerCase();
  let claims = null;

  const read = () => {
    if (claims) return Promise.resolve(claims);
    return new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = `${root}assets/claims.js`;
      script.onload = () => {
        claims = window.PROVEDP_CLAIMS.map((claim) => ({
          ...claim,
          head: plain(
            `${claim.title} ${claim.id} ${claim.source} ${claim.verdict} ${claim.defect} ${claim.role}`
          ),
          body: plain(claim.text),
        }));
        resolve(claims);
      };
      document.head.append(script);
    });
  };

  // All words must occur; what they name counts more than what is said of it.
  const score = (claim, words) => {
    let total = claim.head.startsWith(words.join(" ")) ? 5 : 0;
    for (const word of words) {
      if (claim.head.includes(word)) total += 3;
      else if (claim.body.includes(word)) total += 1;
      else return 0;
    }
    return total;
  };

  const row = (claim) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${root}claims/${claim.id}.html`;
    const badge = document.createElement("span");
    badge.className = `badge small ${claim.verdict}`;
    badge.textContent = claim.verdict;
    const source = document.createElement("span");
    source.className = "source";
    source.textContent = claim.source;
    link.append(badge, ` ${claim.title} `, source);
    item.append(link);
    return item;
  };

  const search = async () => {
    const words = plain(query.value).split(/\s+/).filter(Boolean);
    const all = words.length ? await read() : [];
    const found = all
      .map((claim) => [score(claim, words), claim])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .map(([, claim]) => claim);
    list.replaceChildren(...found.slice(0, MOST).map(row));
    count.textContent = words.length ? `${found.length} claims found` : "";
  };

  const move = (step) => {
    const links = [...list.querySelectorAll("a")];
    const next = links.indexOf(document.activeElement) + step;
    if (next < 0) query.focus();
    else if (next < links.length) links[next].focus();
  };

  // Light or dark: the system's choice, unless the button was pressed on these pages before.
  const theme = document.querySelector(".theme");
  const chosen = document.documentElement.dataset;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (chosen.theme ? chosen.theme === "dark" : system.matches);
  const press = () => theme.setAttribute("aria-pressed", isDark());
  theme.hidden = false;
  press();
  system.addEventListener("change", press);
  theme.addEventListener("click", () => {
    chosen.theme = isDark() ? "light" : "dark";
    press();
    try {
      localStorage.setItem("provedp-theme", chosen.theme);
    } catch {
      // No storage: the choice is for this page.
    }
  });

  place.hidden = false;
  query.addEventListener("input", search);
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      query.value = "";
      list.replaceChildren();
      query.focus();
    }
    if (event.key === "Enter" && event.target === query) list.querySelector("a")?.click();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      query.focus();
    }
  });
})();
