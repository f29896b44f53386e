#define _GNU_SOURCE
#include "spawn_child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>

static int give(posix_spawn_file_actions_t *actions, const char *folder, const int descriptors[3]) {
  int error = folder ? posix_spawn_file_actions_addchdir_np(actions, folder) : 0;
  for (int end = 0; end < 3 && !error; end++)
    error = descriptors[end] < 0
                ? posix_spawn_file_actions_addopen(actions, end, "/dev/null", end ? O_WRONLY : O_RDONLY, 0)
                : posix_spawn_file_actions_adddup2(actions, descriptors[end], end);
  return error ? error : posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int spawn_child(char *const words[], char *const variables[], const char *folder, const int descriptors[3],
                pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = give(&actions, folder, descriptors);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error)
      error = posix_spawnattr_setflags(
          &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawn(process, words[0], &actions, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}
