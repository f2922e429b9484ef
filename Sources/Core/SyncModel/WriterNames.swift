/// A device whose store was put back or copied goes on as a writer of another name: the device's own, `~` and eight hexadecimal digits.
extension DeviceID {
    private static let digits = 8
    private static let markLength = 1 + digits

    /// The name of a writer of this device.
    package func writer(_ number: UInt32) -> DeviceID {
        let digits = String(number, radix: 16)
        return DeviceID(rawValue + "~" + String(repeating: "0", count: Self.digits - digits.count) + digits)
    }

    /// Whether this is a device, or a writer that it became.
    package func isWriter(of device: DeviceID) -> Bool { self == device || isLaterWriter(of: device) }

    /// Whether this is a writer that a device became.
    package func isLaterWriter(of device: DeviceID) -> Bool {
        rawValue.utf8.count == device.rawValue.utf8.count + Self.markLength && rawValue.utf8.starts(with: device.rawValue.utf8) && isMarked
    }

    /// The device that became this writer; this itself where it is no such name.
    package var firstWriter: DeviceID {
        isMarked && rawValue.utf8.count > Self.markLength ? DeviceID(String(Substring(rawValue.utf8.dropLast(Self.markLength)))) : self
    }

    private var isMarked: Bool {
        let mark = rawValue.utf8.suffix(Self.markLength)
        return mark.count == Self.markLength && mark.first == UInt8(ascii: "~")
            && mark.dropFirst().allSatisfy("0123456789abcdef".utf8.contains)
    }
}

extension Set<DeviceID> {
    /// Whether a writer is one of these devices, or one that such a device became.
    package func contains(writer: DeviceID) -> Bool { contains(writer) || contains(writer.firstWriter) }
}
