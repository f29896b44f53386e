#ifndef PARLOR_TASKS_H
#define PARLOR_TASKS_H

#include <stdbool.h>

/// Takes a job that a thread would give to Swift's pool of tasks; false when the pool is to have it.
typedef bool (*parlor_job_taker)(void *_Nonnull owner, void *_Nonnull job);

/// From now on the jobs that this thread would give to the pool are given to `taker` with `owner`; with NULL to the
/// pool again. Other threads are left alone.
void parlor_take_jobs(parlor_job_taker _Nullable taker, void *_Nullable owner);

#endif
