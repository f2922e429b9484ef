// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's SwiftUI where that is not to be had: the declarations that the views use, named and typed as Apple documents them. A view is rendered
// as the lines of its texts.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
    var lines: [String] { get }
}

extension View {
    public var lines: [String] { body.lines }
}

extension Never: View {
    public var body: Never { fatalError("there is no view") }
}

@resultBuilder public enum ViewBuilder {
    @MainActor public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        var lines: [String] = []
        repeat lines += (each content).lines
        return TupleView(lines: lines)
    }

    @MainActor public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct TupleView<Content>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }
}

public struct Text: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init<S: StringProtocol>(_ content: S) { lines = [String(content)] }
}

public struct Label: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init<S: StringProtocol>(_ title: S, systemImage: String) { lines = ["[\(systemImage)] \(title)"] }
}

public struct Button: View {
    public let lines: [String]
    public let action: @MainActor () -> Void
    public var body: Never { fatalError("a view of texts alone") }

    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        lines = ["(\(title))"]
        self.action = action
    }
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
}

public struct VStack<Content: View>: View {
    public let body: Content

    public init(alignment: HorizontalAlignment = .leading, @ViewBuilder content: () -> Content) { body = content() }
}

public struct HStack<Content: View>: View {
    public let body: Content

    public init(@ViewBuilder content: () -> Content) { body = content() }
}

public struct List<Content: View>: View {
    public let body: Content

    public init(@ViewBuilder content: () -> Content) { body = content() }
}

public struct ForEach<Content: View>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @MainActor (Data.Element) -> Content
    ) {
        lines = data.flatMap { content($0).lines }
    }
}

public struct Section<Content: View>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { lines = ["# \(title)"] + content().lines }
}
