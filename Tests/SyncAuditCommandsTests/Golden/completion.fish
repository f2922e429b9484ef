# Completion of syncaudit for fish; written by 'syncaudit completions fish'.
function __syncaudit_verb
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end
function __syncaudit_first
    test (count (commandline -opc)) -eq $argv[1]
end
function __syncaudit_log
    set -l words (commandline -opc)
    syncaudit completions $argv[1] -- $words[3..-1] 2>/dev/null
end
complete -c syncaudit -n '__syncaudit_first 1' -f -s h -l help -d 'Shows help'
complete -c syncaudit -n '__syncaudit_first 1' -f -l version -d 'Shows the version'
complete -c syncaudit -n '__syncaudit_first 1' -f -a help -d 'Shows the help of a verb'
complete -c syncaudit -n '__syncaudit_verb help' -f -a 'sample'
complete -c syncaudit -n '__syncaudit_first 1' -f -a sample -d 'Shows how the options of a verb are read and how its help is laid out, at some length so that it wraps.'
complete -c syncaudit -n '__syncaudit_verb sample' -s n -l count -x -d 'How many'
complete -c syncaudit -n '__syncaudit_verb sample' -l name -x -d 'A name'
complete -c syncaudit -n '__syncaudit_verb sample' -l mode -x -a 'fast slow' -d 'How'
complete -c syncaudit -n '__syncaudit_verb sample' -l a-rather-long-option -x -d 'How long, explained on a line of its own because the name is long'
complete -c syncaudit -n '__syncaudit_verb sample' -l since -x -d 'From when'
complete -c syncaudit -n '__syncaudit_verb sample' -l until -x -d 'Until when'
complete -c syncaudit -n '__syncaudit_verb sample' -l unique -x -a '(__syncaudit_log fields)' -d 'A field'
complete -c syncaudit -n '__syncaudit_verb sample' -l policy -x -a 'last-writer-wins record-last-writer-wins first-writer-wins last-arrival-wins record-last-arrival-wins maximum minimum counter set manual prefer-devices:' -d 'A policy'
complete -c syncaudit -n '__syncaudit_verb sample' -l set -x -d 'A rule'
complete -c syncaudit -n '__syncaudit_verb sample' -s l -l lenient -d 'Be lenient'
complete -c syncaudit -n '__syncaudit_verb sample' -s q -l quiet -d 'Be quiet'
complete -c syncaudit -n '__syncaudit_verb sample' -s h -l help -d 'Shows this help'
