import Foundation
import SwiftData

@Model
final class Account {
    @Attribute(.unique) var number: String
    var owner: String
    @Relationship(deleteRule: .deny, inverse: \Entry.account) var entries: [Entry]

    init(number: String, owner: String) {
        self.number = number
        self.owner = owner
        entries = []
    }
}

@Model
final class Entry {
    #Unique<Entry>([\.date, \.amount])
    var date: Date
    var amount: Decimal
    var account: Account

    init(date: Date, amount: Decimal, account: Account) {
        self.date = date
        self.amount = amount
        self.account = account
    }
}
