#compdef syncaudit
# Completion of syncaudit for zsh; written by 'syncaudit completions zsh'.
_syncaudit_log() {
    local -a found
    found=(${(f)"$(syncaudit completions $1 -- ${(Q)words[2,-1]} 2>/dev/null)"})
    compadd -V log -d found -- ${found%%$'\t'*}
}
_syncaudit() {
    local curcontext="$curcontext" state line
    typeset -A opt_args
    _arguments -C '(- : *)'{-h,--help}'[Shows help]' '(- : *)--version[Shows the version]' '1:verb:->verb' '*::argument:->arguments'
    case $state in
    verb)
        local -a verbs
        verbs=(
            'sample:Shows how the options of a verb are read and how its help is laid out, at some length so that it wraps.'
            'help:Shows the help of a verb'
        )
        _describe verb verbs ;;
    arguments)
        case $line[1] in
        sample) _arguments -s -S \
            '(-n --count)'{-n+,--count=}'[How many]:N: ' \
            '*'--name='[A name]:NAME: ' \
            --mode='[How]:MODE:(fast slow)' \
            --a-rather-long-option='[How long, explained on a line of its own because the name is long]:PLACEHOLDER: ' \
            --since='[From when]:TIME: ' \
            --until='[Until when]:TIME: ' \
            '*'--unique='[A field]:TYPE.FIELD: _syncaudit_log fields' \
            --policy='[A policy]:NAME:(last-writer-wins record-last-writer-wins first-writer-wins last-arrival-wins record-last-arrival-wins maximum minimum counter set manual prefer-devices\:)' \
            '*'--set='[A rule]:RULE: ' \
            '(-l --lenient)'{-l,--lenient}'[Be lenient]' \
            '(-q --quiet)'{-q,--quiet}'[Be quiet]' \
            '(-h --help)'{-h,--help}'[Shows this help]' \
            '*:file:_files' ;;
        help) _arguments '1:verb:(sample)' ;;
        esac ;;
    esac
}
if [ "$funcstack[1]" = _syncaudit ]; then _syncaudit "$@"; else compdef _syncaudit syncaudit; fi
