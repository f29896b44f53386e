// This module's code follows.
