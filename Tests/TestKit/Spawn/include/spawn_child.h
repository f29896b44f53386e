// Starting a program with calls of glibc that Swift's module of it does not show.
#pragma once
#include <sys/types.h>

// Starts words[0] with these variables in this folder, with no blocked and no ignored signals, in a process group of
// its own, and with these three descriptors alone; -1 stands for the null device.
// Returns 0 and the process, or the number of an error.
int spawn_child(char *const words[], char *const variables[], const char *folder, const int descriptors[3],
                pid_t *process);
