"""A robot's file, imported, exported as Python, and loaded."""

import importlib.util
import re
import subprocess
import time

import numpy as np

def run(*arguments):
    result = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def identifiers(source):
    """The name of each joint in the written file: joint of the file to identifiers of its coordinates."""
    names = {}
    for joint, rest in re.findall(r"by the joint `([^`]*)`[^\n]*\n((?:    [^\n]*\n)*)", source):
        coordinates = []
        for line in rest.splitlines():
            found = re.match(r"    coordinates (.*);", line)
            if found:
                coordinates += [part.split(":")[0] for part in found.group(1).split(", ")]
        names[joint] = coordinates
    return names


class Imported:
    """The accelerations that the program derives from a robot's file."""

    def __init__(self, program, directory, name, path, options):
        source, folder = directory / f"{name}.rs", directory / name
        run(program, "import", path, "--output", source, "--force", "--name", "Imported", *options)
        begin = time.perf_counter()
        run(program, "export", source, "--to", "python", "--output", folder, "--force")
        self.seconds = time.perf_counter() - begin
        text = (folder / "imported.py").read_text()
        head = text.split("\ndef acceleration", 1)[1][:300]
        self.operations = sum(int(number) for number in re.findall(r"(\d+) (?:addition|multiplication|division)", head))
        spec = importlib.util.spec_from_file_location(name, folder / "imported.py")
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.names = identifiers(source.read_text())
        self.order = list(self.module.UNKNOWNS)[: len([name for names in self.names.values() for name in names])]

    def acceleration(self, q, v, u):
        """The acceleration under inputs in the order of the joints."""
        result = self.module.acceleration(self.prepared, 0.0, q, v, u)
        return np.asarray(result[0] if isinstance(result, tuple) else result)[: len(self.order)]
