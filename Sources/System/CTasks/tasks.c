#include "CTasks.h"

#include <stddef.h>

// The runtime's seam for what goes to its pool, as its header swift/Runtime/Concurrency.h describes it.
#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*enqueue)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);

static _Thread_local parlor_job_taker taker;
static _Thread_local void *owner;

static SWIFT_CALL void hand_over(void *job, enqueue original) {
  if (taker == NULL || !taker(owner, job)) original(job);
}

void parlor_take_jobs(parlor_job_taker new_taker, void *new_owner) {
  taker = new_taker;
  owner = new_owner;
  // The same for all threads, so that it does not matter who writes it last.
  __atomic_store_n(&swift_task_enqueueGlobal_hook, &hand_over, __ATOMIC_RELAXED);
}
