#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>

// What the C library has for programs that ask for its GNU extensions.
struct rlimit;
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int prlimit(pid_t, int, const struct rlimit *, struct rlimit *);
