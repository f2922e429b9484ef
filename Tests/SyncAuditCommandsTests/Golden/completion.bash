# Completion of syncaudit for bash; written by 'syncaudit completions bash'.
_syncaudit_log() { syncaudit completions "$1" -- "${COMP_WORDS[@]:2}" 2>/dev/null | cut -f 1; }
_syncaudit() {
    local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=''
    # bash takes --option=value for three words.
    if [ "$current" = = ]; then
        current=''
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W $'sample\nhelp\n--help\n--version' -- "$current"))
        return
    fi
    case "$verb $previous" in
    'sample -n'|'sample --count') compopt +o bashdefault +o default 2>/dev/null; return ;;
    'sample --name') compopt +o bashdefault +o default 2>/dev/null; return ;;
    'sample --mode') words=$'fast\nslow' ;;
    'sample --a-rather-long-option') compopt +o bashdefault +o default 2>/dev/null; return ;;
    'sample --since') compopt +o bashdefault +o default 2>/dev/null; return ;;
    'sample --until') compopt +o bashdefault +o default 2>/dev/null; return ;;
    'sample --unique') compopt +o bashdefault +o default 2>/dev/null; words=$(_syncaudit_log fields); [ -n "$words" ] || return ;;
    'sample --policy') words=$'last-writer-wins\nrecord-last-writer-wins\nfirst-writer-wins\nlast-arrival-wins\nrecord-last-arrival-wins\nmaximum\nminimum\ncounter\nset\nmanual\nprefer-devices:' ;;
    'sample --set') compopt +o bashdefault +o default 2>/dev/null; return ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "$verb" in
    sample)
        case "$current" in
        -*) words=$'-n\n--count\n--name\n--mode\n--a-rather-long-option\n--since\n--until\n--unique\n--policy\n--set\n-l\n--lenient\n-q\n--quiet\n-h\n--help' ;;
        esac ;;
    help) words=$'sample' ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Paths are offered wherever nothing else is.
complete -o bashdefault -o default -F _syncaudit syncaudit
