#include <sqlite3.h>

/* sqlite3_db_config takes a variable list of arguments, which Swift cannot pass. */
static inline int sqlite3_db_config_flag(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
