# Counts conflicts. usage: jq -n -c -f summary.jq FILE
reduce inputs as $line ({lines: 0, conflicts: 0, lost: 0, kinds: {}, severities: {}, winners: {}, fields: {}};
  .lines += 1
  | if $line.event == "conflict" then
      .conflicts += 1
      | .kinds[$line.kind] += 1
      | .severities[$line.severity] += 1
      | .winners[$line.winner.device] += 1
      | .fields[$line.recordType + (if $line.field then "." + $line.field else "" end)] += 1
    else . end)
| .lost = (.severities.lossy // 0) + (.severities.destructive // 0) + (.severities.divergent // 0)
