"""What `make demo` runs."""

import sys

from urlset._demo.run import main

sys.exit(main())
