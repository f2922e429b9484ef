import SyncBytes
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
        let parent: Int
        /// The name with its closing quote and its colon; empty where that is longer than a literal or there is white space between.
        let literal: Literal
        /// The node that came after this one last, as far as it has a literal; the root where there is none.
        var follower = FieldShapes.root
        /// The index of its shape, -1 before somebody asked for it.
        var shape = -1
    }

    private static let maximumCount = 4096

    private var shapes: [Shape] = []
    private var nodes = Self.emptyTree
    private static let emptyTree = [Node(name: "", parent: 0, literal: Literal(""))]
    /// The names of all nodes but the root in their order, each owned by the node above it.
    private var names = NameTable()

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
        (shapes, nodes, names) = ([], Self.emptyTree, NameTable())
    }

    /// Consumes the name that came after a node last, behind its opening quote, and the colon; nil where another is there.
    @inline(__always) func consumeFollower(of parent: Int, _ cursor: inout LineCursor) -> Int? {
        let known = nodes.span
        let follower = known[parent].follower
        return follower != Self.root && cursor.consume(known[follower].literal) ? follower : nil
    }

    /// Consumes a name behind its opening quote, and the colon; nil where there is no plain name or the line alone has too many.
    @inline(never) mutating func consumeName(after parent: Int, _ cursor: inout LineCursor) -> Int? {
        let start = cursor
        guard let name = cursor.key() else { return nil }
        let node = names.number(of: name, owner: parent) + 1
        if node == nodes.count {
            guard nodes.count < Self.maximumCount else { return nil }
            let literal = Literal(from: start, to: cursor)
            let isWhole = literal.count == name.count + 2
            nodes.append(Node(name: FieldName(name), parent: parent, literal: isWhole ? literal : Literal("")))
        }
        // In a full tree a name that is not in it has a number all the same.
        guard node < nodes.count else { return nil }
        follow(parent, with: node)
        return node
    }

    private mutating func follow(_ parent: Int, with index: Int) {
        if nodes[index].literal.count > 0 { nodes[parent].follower = index }
    }

    /// The number of the sequence of names on the way to a node; nil where one occurs twice.
    mutating func shape(at node: Int) -> Int? {
        let known = nodes[node].shape
        return known >= 0 ? known : newShape(at: node)
    }

    /// Whether no name occurs twice on the way to a node.
    @inline(__always) mutating func hasShape(at node: Int) -> Bool { node == Self.root || shape(at: node) != nil }

    /// The names of a shape in order.
    func names(of shape: Int) -> [FieldName] { shapes[shape].names }

    /// Which name of the line comes first, second and so on; nil where they stood in order.
    func order(of shape: Int) -> [Int]? { shapes[shape].order }

    @inline(never) private mutating func newShape(at node: Int) -> Int? {
        var line: [FieldName] = []
        var ancestor = node
        while ancestor != Self.root {
            line.append(nodes[ancestor].name)
            ancestor = nodes[ancestor].parent
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
