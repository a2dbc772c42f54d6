"""The command line: `provedp` or `python -m provedp`."""

from provedp.cli import main

if __name__ == "__main__":
    main()
