"""Parses every answer that the acceptance suite recorded with pydantic models, as a typed client would.

Usage: parse_answers.py FOLDER

FOLDER holds `answers.schema.json` (the shapes, by name) and `answers-*.tsv` (a line for each answer: the name of its shape,
a tab, the answer as JSON). The models are generated from the schema: types are strict, and a member that it does not name is a
failure, since no client of the document would know of it; so is the member of a union that fits by leaving something out. Objects
that the schema leaves open stay so. Exit code 1 when an answer does not parse, when there is none, or when the models cannot be
generated.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pydantic import ValidationError

# Answers that are shown of those that do not parse.
MAX_SHOWN = 10
# Characters of an answer that are shown.
MAX_SHOWN_LENGTH = 600


def closed(schema):
    """The same schema, in which an object has the members that are named and no others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    return {**parts, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else parts


def models_of(schema: Path):
    """The module with a model for each shape."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "answer_models.py"
        strict = Path(folder) / "answers.schema.json"
        strict.write_text(json.dumps(closed(json.loads(schema.read_text(encoding="utf-8")))), encoding="utf-8")
        generator = [sys.executable, "-W", "ignore", "-m", "datamodel_code_generator", "--disable-timestamp"]
        options = {
            "--input": strict,
            "--input-file-type": "jsonschema",
            "--output": module,
            "--output-model-type": "pydantic_v2.BaseModel",
            "--enum-field-as-literal": "all",
            "--target-python-version": f"{sys.version_info.major}.{sys.version_info.minor}",
        }
        given = [str(part) for option in options.items() for part in option]
        subprocess.run([*generator, *given, "--strict-types", "str", "int", "float", "bool"], check=True)
        spec = importlib.util.spec_from_file_location("answer_models", module)
        loaded = importlib.util.module_from_spec(spec)
        sys.modules["answer_models"] = loaded
        spec.loader.exec_module(loaded)
        return loaded


def main(folder: Path) -> int:
    models = models_of(folder / "answers.schema.json")
    parsed: Counter = Counter()
    failures = 0
    for file in sorted(folder.glob("answers-*.tsv")):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                shape, answer = line.rstrip("\n").split("\t", 1)
                try:
                    getattr(models, shape).model_validate_json(answer)
                    parsed[shape] += 1
                except ValidationError as error:
                    failures += 1
                    if failures <= MAX_SHOWN:
                        print(f"{error}\n{answer[:MAX_SHOWN_LENGTH]}\n")
    for shape, count in sorted(parsed.items()):
        print(f"{count:6d} {shape}")
    print(f"{sum(parsed.values())} answers parsed by strict models, {failures} not")
    return 0 if failures == 0 and parsed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
