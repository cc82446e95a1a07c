"""The core measured beside every rival and floor; see README.md."""
