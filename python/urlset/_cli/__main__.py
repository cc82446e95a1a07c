"""`python -m urlset._cli`, for where the command is not on the path."""

import sys

from urlset._cli import main

sys.exit(main())
