// Runs a command and writes to a file how long it took, in seconds, its peak memory, in KiB, and its seconds of processors. usage: measure RESULT COMMAND…
// A small program of its own: a process begins with the peak memory of the one that started it.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct timespec start, end;
    struct rusage usage;
    int status;
    if (argc < 3) return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = vfork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    wait4(child, &status, 0, &usage);
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *result = fopen(argv[1], "w");
    if (!result) return 74;
    fprintf(result, "%.6f %ld %.6f\n", end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9, usage.ru_maxrss,
        usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    fclose(result);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
