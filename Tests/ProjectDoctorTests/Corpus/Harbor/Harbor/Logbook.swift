import CoreData

extension Boat {
    func depart(in context: NSManagedObjectContext) throws {
        let trip = Trip(context: context)
        trip.left = Date()
        trip.boat = self
        try context.save()
    }
}
