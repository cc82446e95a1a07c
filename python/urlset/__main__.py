"""`python -m urlset` is the command."""

import sys

from urlset._cli import main

sys.exit(main())
