extension PageLanguage {
    /// The file of French.
    static let french: StaticString = """
        {
          "language": "fr",
          "direction": "ltr",
          "plurals": {"one": "i = 0,1"},
          "numbers": {"decimal": ",", "thousands": " "},
          "months": [
            "janvier", "février", "mars", "avril", "mai", "juin",
            "juillet", "août", "septembre", "octobre", "novembre", "décembre"
          ],
          "names": {},
          "words": {
            "days.on": "le {date}",
            "days.since": "depuis le {date}",
            "days.until": "jusqu’au {date}",
            "days.between": "du {since} au {until}",
            "days.all": "jusqu’ici",
            "headline.nothing": "La synchronisation n’a rien remplacé {days}",
            "headline.nothingKnown": "À notre connaissance, la synchronisation n’a rien remplacé {days}",
            "headline.unknown": "On ne sait pas si la synchronisation a remplacé quelque chose {days}",
            "headline.replaced": {
              "one": "La synchronisation a remplacé {count} modification {days}",
              "other": "La synchronisation a remplacé {count} modifications {days}"
            },
            "headline.replacedMore": {
              "one": "La synchronisation a remplacé plus de {count} modification {days}",
              "other": "La synchronisation a remplacé plus de {count} modifications {days}"
            },
            "headline.suspected": {
              "one": "La synchronisation a peut-être remplacé {count} modification {days}",
              "other": "La synchronisation a peut-être remplacé {count} modifications {days}"
            },
            "headline.suspectedMore": {
              "one": "La synchronisation a peut-être remplacé plus de {count} modification {days}",
              "other": "La synchronisation a peut-être remplacé plus de {count} modifications {days}"
            },
            "headline.also": {"one": "{replaced}, et peut-être {count} autre", "other": "{replaced}, et peut-être {count} autres"},
            "headline.alsoMore": {
              "one": "{replaced}, et peut-être plus de {count} autre",
              "other": "{replaced}, et peut-être plus de {count} autres"
            },
            "hint.nothing": "Aucune de vos modifications n’a cédé la place à une autre.",
            "hint.replaced": "La même chose avait été modifiée de deux façons, l’une sans connaître l’autre. Une seule version \
        pouvait rester ; voici ce qu’elle a remplacé.",
            "hint.suspected": "La même chose a été modifiée de deux façons en peu de temps, peut-être l’une sans connaître l’autre. \
        Une version est restée ; voici ce qu’elle a peut-être remplacé.",
            "earlier.replaced": {
              "one": "Les jours précédents, la synchronisation a remplacé {count} modification ; demandez une page depuis le {date} \
        pour tout voir.",
              "other": "Les jours précédents, la synchronisation a remplacé {count} modifications ; demandez une page depuis le \
        {date} pour tout voir."
            },
            "earlier.suspected": {
              "one": "Les jours précédents, la synchronisation a peut-être remplacé {count} modification ; demandez une page depuis \
        le {date} pour tout voir.",
              "other": "Les jours précédents, la synchronisation a peut-être remplacé {count} modifications ; demandez une page \
        depuis le {date} pour tout voir."
            },
            "title.field": "{field} – {name}",
            "title.unnamedField": "{field} ({type})",
            "title.record": "{type} « {name} »",
            "title.unnamedRecord": "{type}",
            "title.item": "élément",
            "side.before": "Avant",
            "side.perhapsBefore": "Peut-être avant",
            "side.then": "Puis",
            "side.after": "Après",
            "side.now": "Maintenant",
            "side.onDevice": "sur {name}, {time}",
            "side.onSomeDevice": "sur un appareil, {time}",
            "side.byAuthor": "par {name}, {time}",
            "value.deleted": "supprimé",
            "value.empty": "vide",
            "value.unrecorded": "non enregistré",
            "value.others": "modifié par quelqu’un d’autre",
            "value.link": "un lien vers autre chose",
            "value.yes": "oui",
            "value.no": "non",
            "value.separator": ", ",
            "value.fieldSeparator": " ; ",
            "value.field": "{field} : {value}",
            "remark.maybe": "Peut-être remplacé, peut-être modifié exprès : la seconde modification connaissait peut-être la première.",
            "remark.restored": "Ce qui était là avant est de nouveau là.",
            "remark.putBack": "Ce qui était là avant a été rétabli depuis.",
            "remark.putBackAndChanged": "Ce qui était là avant a été rétabli, puis modifié de nouveau.",
            "remark.changedSince": "Cela a encore été modifié depuis.",
            "date": {"one": "{day}er {month} {year}", "other": "{day} {month} {year}"},
            "time": "{hour}:{minute}",
            "dateAndTime": "{date} à {time}",
            "footer.zone": "Les heures sont celles des horloges des appareils, dans le fuseau horaire {zone}.",
            "footer.universal": "Les heures sont celles des horloges des appareils, en temps universel (UTC).",
            "footer.now": "« Maintenant » : ce que l’on sait jusqu’au {time}.",
            "footer.others": "Ce que d’autres ont écrit n’est pas affiché."
          }
        }
        """
}
