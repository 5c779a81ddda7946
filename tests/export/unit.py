"""What the tests of functional mock-up units share: export, instances whose variables have their names, and tolerances."""

import subprocess
from pathlib import Path

from fmpy import extract, instantiate_fmu, read_model_description
from fmpy.fmi1 import FMICallException

# The relative tolerance, and the error allowed beside the largest magnitude of a component: what the tolerance becomes along the motion.
TOLERANCE = {"CoSimulation": 1e-11, "ModelExchange": 1e-11}
ALLOWED = {"CoSimulation": 1e-7, "ModelExchange": 2e-6}


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


class Instance:
    """An instance for co-simulation whose variables have their names, and whose messages are kept."""

    def __init__(self, unit, start_time=0.0, tolerance=None, **start):
        description = read_model_description(unit)
        self.numbers = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.messages = []
        self.instance = instantiate_fmu(extract(unit), description, "CoSimulation",
                                        logger=lambda environment, status, category, message: self.messages.append(message.decode()))
        for name, value in start.items():
            self.set(name, value)
        self.instance.enterInitializationMode(startTime=start_time, tolerance=tolerance)
        self.instance.exitInitializationMode()

    def set(self, name, value):
        self.instance.setFloat64([self.numbers[name]], [value])

    def get(self, *names):
        return self.instance.getFloat64([self.numbers[name] for name in names])

    def step(self, time, length):
        self.instance.doStep(time, length)

    def is_refused(self, part, time, length):
        """Whether a step is an error with a message that has this part, and moves nothing."""
        before = self.get("time")
        try:
            self.step(time, length)
        except FMICallException:
            assert self.get("time") == before or part == "too small", part
            return any(part in message for message in self.messages)
        return False


def check_warnings(unit):
    """The sources compile without a warning."""
    for source in sorted(Path(extract(unit), "sources").glob("*.c")):
        output = run("cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null", str(source))
        assert output.returncode == 0, output.stderr


def exported(program, directory, file, *arguments):
    """The unit of a mechanism in a file beside this one."""
    source = str(Path(__file__).parent / file)
    output = run(program, "export", source, *arguments, "--to", "fmu", "--output", str(directory), "--force")
    assert output.returncode == 0, output.stderr
    return output.stdout.split(":")[0]
