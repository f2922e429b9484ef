#include "TestPace.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts all tests at once, and the first is told to have passed when nearly all have run. Before it starts, this says how
// many run at a time: twice the processors, since some wait.
__attribute__((constructor)) static void limitTestsAtATime(void) {
    char width[16];
    snprintf(width, sizeof width, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
