/// The writers in place of devices whose writes do not all follow one another: each is a *lane*, a chain of one device's writes of which
/// every one had seen those before, so that a number of a lane includes all that comes before it and version vectors say exactly what a
/// graph of versions says.
///
/// A device's first lane goes by its own name, the next ones as `phone#2`. A value type; its owner guards it.
package struct WriterLanes: Sendable {
    private var names: [DeviceID: [DeviceID]] = [:]
    private var taken: Set<DeviceID> = []

    /// No device has written.
    package init() {}

    /// How many devices have lanes.
    package var devices: Int { names.count }

    /// The name of one of a device's lanes, which are counted from 0; it is no other lane's.
    ///
    /// - Parameter isDevice: Whether a device that has no lanes is called so.
    /// - Precondition: No lane is passed over.
    package mutating func name(of device: DeviceID, lane: Int, isDevice: (DeviceID) -> Bool = { _ in false }) -> DeviceID {
        if let known = names[device], lane < known.count { return known[lane] }
        var name = lane == 0 ? device : DeviceID("\(device.rawValue)#\(lane + 1)")
        // Someone may be called so.
        while !taken.insert(name).inserted || lane > 0 && isDevice(name) { name = DeviceID(name.rawValue + "'") }
        names[device, default: []].append(name)
        return name
    }
}
