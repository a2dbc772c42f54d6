"""Pictures of the experiments' rows, as SVG and PNG."""
