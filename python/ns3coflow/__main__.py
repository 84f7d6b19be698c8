# SPDX-License-Identifier: GPL-2.0-only
"""`python -m ns3coflow` is the command ns3-coflow."""

from ns3coflow.cli import main

if __name__ == "__main__":
    main()
