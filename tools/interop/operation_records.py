"""The records of the elementwise operations (packages/expression/src/ops), as the build writes them for tools in any language."""

import json
from pathlib import Path

RECORDS = json.loads((Path(__file__).parents[2] / "packages/expression/dist/operations.json").read_text())


def numpy_functions(kind, names):
    """Returns the functions of NumPy by operation: `exact` or `wide` ones. Records have them as expressions in some names."""
    return {op: eval(record["numpy"][kind], names) for op, record in RECORDS.items() if record["numpy"][kind] is not None}
