import SyncModel

/// The sequences of field names that have stood in lines so far, so that writes that name the same fields share one list of names.
///
/// A tree: each node is a name that has followed the names above it. Bounded by ``maximumCount``: a full tree is forgotten and grows anew.
struct FieldShapes: Sendable {
    private struct Shape {
        let names: [FieldName]
        let order: [Int]?
    }

    private struct Node {
        let name: FieldName
        let tag: TextTag
        let parent: Int
        /// The name with quotes and colon; empty where that is longer than a text to look for.
        let text: ShortText
        /// The node that came after this one last, as far as it has a text to look for; the root where there is none.
        var follower = FieldShapes.root
        /// The index of its shape, -1 before somebody asked for it.
        var shape = -1
    }

    private static let maximumCount = 4096

    private var shapes: [Shape] = []
    private var nodes = Self.emptyTree
    private static let emptyTree = [Node(name: "", tag: TextTag(low: 0, high: 0), parent: 0, text: ShortText(""))]
    private var index = HashIndex()
    private let key = HashKey()

    /// The node of the empty sequence.
    static let root = 0

    /// Prepares for the names of another line; node numbers of earlier lines are not valid from here on.
    ///
    /// - Complexity: O(1) amortized over the names added.
    @inline(__always) mutating func beginLine() {
        // With room for the names of the line, so that it is rarely left to the parser.
        if nodes.count > Self.maximumCount - Self.maximumCount / 8 { forget() }
    }

    @inline(never) private mutating func forget() {
        (shapes, nodes, index) = ([], Self.emptyTree, HashIndex())
    }

    /// Takes the name that came after a node last, and the colon behind it; nil where another stands there.
    @inline(__always) func takeFollower(of parent: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int? {
        let known = nodes.span
        let follower = known[parent].follower
        return follower != Self.root && known[follower].text.isTaken(bytes, &scanner) ? follower : nil
    }

    /// The node after a name; nil where the name is not valid UTF-8 or the line alone has too many names.
    mutating func node(after parent: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let tag = TextTag(bytes, range, key)
        let hash = tag.mixed(into: key.start(count: parent), key)
        if let known = find(tag, hash: hash, after: parent, bytes, range) {
            follow(parent, with: known)
            return known
        }
        guard nodes.count < Self.maximumCount, let name = bytes.extracting(range).validText else { return nil }
        index.insert(nodes.count, hash: hash)
        let text = name.utf8.count <= ShortText.maximumCount - 3 ? "\"\(name)\":" : ""
        nodes.append(Node(name: FieldName(name), tag: tag, parent: parent, text: ShortText(text)))
        follow(parent, with: nodes.count - 1)
        return nodes.count - 1
    }

    @inline(__always)
    private func find(_ tag: TextTag, hash: UInt64, after parent: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        index.find(hash) {
            nodes[$0].tag == tag && nodes[$0].parent == parent
                && (range.count <= TextTag.maximumExactLength || bytes.equals(nodes[$0].name.rawValue, in: range))
        }
    }

    private mutating func follow(_ parent: Int, with index: Int) {
        if nodes[index].text.count > 0 { nodes[parent].follower = index }
    }

    /// The number of the sequence of names on the way to a node; nil where one stands twice.
    mutating func shape(at node: Int) -> Int? {
        let known = nodes[node].shape
        return known >= 0 ? known : newShape(at: node)
    }

    /// Whether no name stands twice on the way to a node.
    @inline(__always) mutating func hasShape(at node: Int) -> Bool { node == Self.root || shape(at: node) != nil }

    /// The names of a shape in order.
    func names(of shape: Int) -> [FieldName] { shapes[shape].names }

    /// Which name of the line comes first, second and so on; nil where they stood in order.
    func order(of shape: Int) -> [Int]? { shapes[shape].order }

    @inline(never) private mutating func newShape(at node: Int) -> Int? {
        var line: [FieldName] = []
        var place = node
        while place != Self.root {
            line.append(nodes[place].name)
            place = nodes[place].parent
        }
        line.reverse()
        let order = line.indices.sorted { line[$0] < line[$1] }
        let names = order.map { line[$0] }
        for index in names.indices.dropFirst() where names[index - 1] == names[index] { return nil }
        shapes.append(Shape(names: names, order: order == Array(line.indices) ? nil : order))
        nodes[node].shape = shapes.count - 1
        return shapes.count - 1
    }
}
