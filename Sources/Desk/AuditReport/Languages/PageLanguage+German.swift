extension PageLanguage {
    /// The file of German.
    static let german: StaticString = """
        {
          "language": "de",
          "direction": "ltr",
          "plurals": {"one": "i = 1 and v = 0"},
          "numbers": {"decimal": ",", "thousands": "."},
          "months": [
            "Januar", "Februar", "März", "April", "Mai", "Juni",
            "Juli", "August", "September", "Oktober", "November", "Dezember"
          ],
          "names": {},
          "words": {
            "days.on": "am {date}",
            "days.since": "seit dem {date}",
            "days.until": "bis zum {date}",
            "days.between": "vom {since} bis zum {until}",
            "days.all": "bisher",
            "headline.nothing": "{days} wurde beim Synchronisieren nichts ersetzt",
            "headline.nothingKnown": "Es ist nicht bekannt, dass {days} beim Synchronisieren etwas ersetzt wurde",
            "headline.unknown": "Ob {days} beim Synchronisieren etwas ersetzt wurde, ist nicht bekannt",
            "headline.replaced": {
              "one": "{days} wurde beim Synchronisieren {count} Änderung ersetzt",
              "other": "{days} wurden beim Synchronisieren {count} Änderungen ersetzt"
            },
            "headline.replacedMore": {
              "one": "{days} wurde beim Synchronisieren mehr als {count} Änderung ersetzt",
              "other": "{days} wurden beim Synchronisieren mehr als {count} Änderungen ersetzt"
            },
            "headline.suspected": {
              "one": "{days} wurde beim Synchronisieren vielleicht {count} Änderung ersetzt",
              "other": "{days} wurden beim Synchronisieren vielleicht {count} Änderungen ersetzt"
            },
            "headline.suspectedMore": {
              "one": "{days} wurde beim Synchronisieren vielleicht mehr als {count} Änderung ersetzt",
              "other": "{days} wurden beim Synchronisieren vielleicht mehr als {count} Änderungen ersetzt"
            },
            "headline.also": "{replaced}, vielleicht noch {count} weitere",
            "headline.alsoMore": "{replaced}, vielleicht noch mehr als {count} weitere",
            "hint.nothing": "Keine Ihrer Änderungen ist einer anderen gewichen.",
            "hint.replaced": "Dasselbe war auf zwei Weisen geändert worden, ohne dass die eine Änderung von der anderen wusste. Eine \
        Fassung konnte bleiben; hier steht, was sie ersetzt hat.",
            "hint.suspected": "Dasselbe wurde in kurzer Zeit auf zwei Weisen geändert, vielleicht ohne dass die eine Änderung von der \
        anderen wusste. Eine Fassung ist geblieben; hier steht, was sie vielleicht ersetzt hat.",
            "earlier.replaced": {
              "one": "An früheren Tagen wurde {count} Änderung ersetzt; eine Seite ab dem {date} zeigt alle.",
              "other": "An früheren Tagen wurden {count} Änderungen ersetzt; eine Seite ab dem {date} zeigt alle."
            },
            "earlier.suspected": {
              "one": "An früheren Tagen wurde vielleicht {count} Änderung ersetzt; eine Seite ab dem {date} zeigt alle.",
              "other": "An früheren Tagen wurden vielleicht {count} Änderungen ersetzt; eine Seite ab dem {date} zeigt alle."
            },
            "title.field": "{field} von {name}",
            "title.unnamedField": "{field} ({type})",
            "title.record": "{type} „{name}“",
            "title.unnamedRecord": "{type}",
            "title.item": "Eintrag",
            "side.before": "Vorher",
            "side.perhapsBefore": "Vielleicht vorher",
            "side.then": "Dann",
            "side.after": "Danach",
            "side.now": "Jetzt",
            "side.onDevice": "auf {name}, {time}",
            "side.onSomeDevice": "auf einem Gerät, {time}",
            "side.byAuthor": "von {name}, {time}",
            "value.deleted": "gelöscht",
            "value.empty": "leer",
            "value.unrecorded": "nicht aufgezeichnet",
            "value.others": "von jemand anderem geändert",
            "value.link": "ein Verweis auf etwas anderes",
            "value.yes": "ja",
            "value.no": "nein",
            "value.separator": ", ",
            "value.fieldSeparator": "; ",
            "value.field": "{field}: {value}",
            "remark.maybe": "Vielleicht ersetzt, vielleicht mit Absicht geändert: Die zweite Änderung könnte von der ersten gewusst \
        haben.",
            "remark.restored": "Was vorher da war, ist wieder da.",
            "remark.putBack": "Was vorher da war, wurde inzwischen wiederhergestellt.",
            "remark.putBackAndChanged": "Was vorher da war, wurde wiederhergestellt und seitdem noch einmal geändert.",
            "remark.changedSince": "Seitdem wurde es noch einmal geändert.",
            "date": "{day}. {month} {year}",
            "time": "{hour}:{minute}",
            "dateAndTime": "{date}, {time} Uhr",
            "footer.zone": "Zeiten sind die der Uhren der Geräte, in der Zeitzone {zone}.",
            "footer.universal": "Zeiten sind die der Uhren der Geräte, in Weltzeit (UTC).",
            "footer.now": "„Jetzt“ heißt: soweit bekannt bis {time}.",
            "footer.others": "Was andere geschrieben haben, wird nicht gezeigt."
          }
        }
        """
}
