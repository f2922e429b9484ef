import CoreData
import SwiftUI

struct InvoiceList: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\Invoice.issued)]) private var invoices: FetchedResults<Invoice>

    var body: some View {
        List(invoices) { invoice in
            Text(invoice.number ?? "")
        }
    }
}
