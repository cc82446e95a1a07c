"""Tables to sets of files in a folder: whole at every instant, nothing touched that is not ours."""

from urlset._publish.verb import write

__all__ = ["write"]
