"""The records of the operations (packages/expression/src/ops), as the build writes them for tools in any language."""

import json
from pathlib import Path

_FILE = json.loads((Path(__file__).parents[2] / "packages/expression/dist/operations.json").read_text())
# The records of the elementwise operations, those of the others, and all.
RECORDS, WHOLE = _FILE["elementwise"], _FILE["whole"]
ALL = {**RECORDS, **WHOLE}


def numpy_functions(kind, names):
    """Returns the functions of NumPy by operation: `exact`, `wide` or `tree` ones. Records have them as expressions in some names."""
    return {op: eval(record["numpy"][kind], names) for op, record in ALL.items() if record["numpy"].get(kind) is not None}
