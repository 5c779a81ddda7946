"""A controller as a functional mock-up unit of another tool, PythonFMU3: a force that follows from a place and a speed."""

from pythonfmu3 import Fmi3Causality, Fmi3Initial, Fmi3Slave, Fmi3Variability, Float64


class Controller(Fmi3Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        self.place = 0.0
        self.speed = 0.0
        self.push = 0.0
        self.register_variable(Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("place", causality=Fmi3Causality.input, start=0, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("speed", causality=Fmi3Causality.input, start=0, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("push", causality=Fmi3Causality.output, variability=Fmi3Variability.continuous, initial=Fmi3Initial.calculated))

    def do_step(self, current_time, step_size):
        self.push = -20.0 * self.place - 4.0 * self.speed
        return True
