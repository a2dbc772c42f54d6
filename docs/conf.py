"""How the site is built: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent)]

import provedp  # noqa: E402

project = "provedp"
release = version = provedp.__version__
copyright = "the authors of provedp"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "command_help",
    "plain_docstrings",
    "shared_pages",
]
exclude_patterns = ["extensions", "static"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# Anchors of the papers' pages are HTML, which myst does not look up; tests/docs follows every link.
suppress_warnings = ["myst.xref_missing"]

default_role = "literal"
autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "provedp"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "tango"
pygments_dark_style = "monokai"
