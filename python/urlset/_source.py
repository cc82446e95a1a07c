"""Files that hold tables, as Arrow streams."""
