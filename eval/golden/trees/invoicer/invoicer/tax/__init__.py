from .rules import Assessment, Treatment, assess
from .register import Register, RegisterDown

__all__ = ["Assessment", "Register", "RegisterDown", "Treatment", "assess"]
