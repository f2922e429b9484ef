extension PageLanguage {
    /// The file of English.
    static let english: StaticString = """
        {
          "language": "en",
          "direction": "ltr",
          "plurals": {"one": "i = 1 and v = 0"},
          "numbers": {"decimal": ".", "thousands": ","},
          "months": [
            "January", "February", "March", "April", "May", "June",
            "July", "August", "September", "October", "November", "December"
          ],
          "names": {},
          "words": {
            "days.on": "on {date}",
            "days.since": "since {date}",
            "days.until": "until {date}",
            "days.between": "from {since} to {until}",
            "days.all": "so far",
            "headline.nothing": "Sync replaced nothing {days}",
            "headline.nothingKnown": "Sync is not known to have replaced anything {days}",
            "headline.unknown": "Whether sync replaced anything {days} is not known",
            "headline.replaced": {"one": "Sync replaced {count} change {days}", "other": "Sync replaced {count} changes {days}"},
            "headline.replacedMore": {
              "one": "Sync replaced more than {count} change {days}",
              "other": "Sync replaced more than {count} changes {days}"
            },
            "headline.suspected": {
              "one": "Sync may have replaced {count} change {days}",
              "other": "Sync may have replaced {count} changes {days}"
            },
            "headline.suspectedMore": {
              "one": "Sync may have replaced more than {count} change {days}",
              "other": "Sync may have replaced more than {count} changes {days}"
            },
            "headline.also": "{replaced}, and may have replaced {count} more",
            "headline.alsoMore": "{replaced}, and may have replaced more than {count} more",
            "hint.nothing": "No change of yours made way for another.",
            "hint.replaced": "The same thing had been changed in two ways, each without knowing of the other. One version could stay; \
        here is what it replaced.",
            "hint.suspected": "The same thing was changed in two ways within a short time, perhaps without knowing of each other. One \
        version stayed; here is what it may have replaced.",
            "earlier.replaced": {
              "one": "On earlier days sync replaced {count} change; ask for a page since {date} to see all.",
              "other": "On earlier days sync replaced {count} changes; ask for a page since {date} to see all."
            },
            "earlier.suspected": {
              "one": "On earlier days sync may have replaced {count} change; ask for a page since {date} to see all.",
              "other": "On earlier days sync may have replaced {count} changes; ask for a page since {date} to see all."
            },
            "title.field": "{field} of {name}",
            "title.unnamedField": {"vowel": "{field} of an {type}", "other": "{field} of a {type}"},
            "title.record": "{type} {name}",
            "title.unnamedRecord": {"vowel": "an {type}", "other": "a {type}"},
            "title.item": "item",
            "side.before": "Before",
            "side.perhapsBefore": "Perhaps before",
            "side.then": "Then",
            "side.after": "After",
            "side.now": "Now",
            "side.onDevice": "on {name}, {time}",
            "side.onSomeDevice": "on a device, {time}",
            "side.byAuthor": "by {name}, {time}",
            "value.deleted": "deleted",
            "value.empty": "empty",
            "value.unrecorded": "was not written down",
            "value.others": "changed by someone else",
            "value.link": "a link to something else",
            "value.yes": "yes",
            "value.no": "no",
            "value.separator": ", ",
            "value.fieldSeparator": "; ",
            "value.field": "{field}: {value}",
            "remark.maybe": "Perhaps replaced, perhaps edited on purpose: the second may have known of the first.",
            "remark.restored": "What was there before is there again.",
            "remark.putBack": "What was there before has been put back since.",
            "remark.putBackAndChanged": "What was there before was put back, and has been changed again since.",
            "remark.changedSince": "It has been changed again since.",
            "date": "{day} {month} {year}",
            "time": "{hour}:{minute}",
            "dateAndTime": "{date}, {time}",
            "footer.zone": "Times are as the devices’ clocks showed them, in the time zone {zone}.",
            "footer.universal": "Times are as the devices’ clocks showed them, in universal time (UTC).",
            "footer.now": "“Now” is what is known up to {time}.",
            "footer.others": "What other people wrote is not shown."
          }
        }
        """
}
