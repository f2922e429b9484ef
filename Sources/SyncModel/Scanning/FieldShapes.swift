/// The sequences of field names that have stood in lines so far, so that writes that name the same fields share one list of names.
///
/// A tree: each node is a name that has followed the names above it. Bounded by ``maximumCount``.
struct FieldShapes: Sendable {
    /// The names of one sequence in order.
    struct Shape {
        let names: [FieldName]
        /// Which name of the line comes first, second and so on; nil where they stood in order.
        let order: [Int]?
    }

    private struct Node {
        let name: FieldName
        let parent: Int
        var children: [Int] = []
        var shape: Shape?
    }

    private static let maximumCount = 4096
    private static let maximumChildren = 256

    private var nodes = [Node(name: "", parent: 0)]

    /// The node of the empty sequence.
    static let root = 0

    /// The node after a name; nil where the name is not valid UTF-8 or there are too many nodes.
    mutating func node(after parent: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for child in nodes[parent].children where bytes.equals(nodes[child].name.rawValue, in: range) { return child }
        guard nodes.count < Self.maximumCount, nodes[parent].children.count < Self.maximumChildren,
            let name = bytes.extracting(range).validText
        else { return nil }
        nodes.append(Node(name: FieldName(name), parent: parent))
        nodes[parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    /// The names on the way to a node; nil where one stands twice.
    mutating func shape(at node: Int) -> Shape? {
        if let known = nodes[node].shape { return known }
        var line: [FieldName] = []
        var place = node
        while place != Self.root {
            line.insert(nodes[place].name, at: 0)
            place = nodes[place].parent
        }
        let order = line.indices.sorted { line[$0] < line[$1] }
        let names = order.map { line[$0] }
        for index in names.indices.dropFirst() where names[index - 1] == names[index] { return nil }
        let shape = Shape(names: names, order: order == Array(line.indices) ? nil : order)
        nodes[node].shape = shape
        return shape
    }
}
