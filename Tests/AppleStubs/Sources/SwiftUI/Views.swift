// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's SwiftUI where that is not to be had: the declarations that the views use, named and typed as Apple documents them. A view is rendered
// as the lines of its texts, what is not plain after the colour. The page beside each type is below developer.apple.com/documentation/.

@_exported import Foundation

// swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
    var lines: [String] { get }
}

extension View {
    public var lines: [String] { body.lines }

    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        Lines(lines: lines.map { "\(style.name): \($0)" })
    }

    public func font(_ font: Font?) -> some View { Lines(lines: lines) }
}

extension Never: View {
    public var body: Never { fatalError("there is no view") }
}

/// Not Apple's.
struct Lines: View {
    let lines: [String]
    var body: Never { fatalError("a view of texts alone") }
}

// swiftui/viewbuilder
@resultBuilder public enum ViewBuilder {
    @MainActor public static func buildBlock() -> EmptyView { EmptyView() }

    @MainActor public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        var lines: [String] = []
        repeat lines += (each content).lines
        return TupleView(lines: lines)
    }

    @MainActor public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    @MainActor public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

extension Optional: View where Wrapped: View {
    public var lines: [String] { self?.lines ?? [] }
    public var body: Never { fatalError("a view of texts alone") }
}

// swiftui/emptyview
public struct EmptyView: View {
    public let lines: [String] = []
    public var body: Never { fatalError("a view of texts alone") }

    public nonisolated init() {}
}

// swiftui/tupleview
public struct TupleView<Content>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }
}

// swiftui/shapestyle
public protocol ShapeStyle: Sendable {
    /// Not Apple's.
    var name: String { get }
}

// swiftui/color
public struct Color: ShapeStyle, Hashable {
    public let name: String
    public static let orange = Color(name: "orange")
    public static let secondary = Color(name: "secondary")
}

// swiftui/font
public struct Font: Hashable, Sendable {
    public static let caption = Font()
}

// swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(_ string: String) { text += string }

        /// Rendered as the milliseconds since 1970, since what is shown goes on with the clock.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            text += "{\(Int64(date.timeIntervalSince1970 * 1000))}"
        }
    }

    let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

// swiftui/text
public struct Text: View {
    // swiftui/text/datestyle
    public struct DateStyle: Equatable, Sendable {
        public static let relative = DateStyle()
    }

    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { lines = [String(content)] }

    public init(_ key: LocalizedStringKey) { lines = [key.text] }
}

// swiftui/image
public struct Image: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init(systemName: String) { lines = ["[\(systemName)]"] }
}

// swiftui/spacer
public struct Spacer: View {
    public let lines: [String] = []
    public var body: Never { fatalError("a view of texts alone") }

    public nonisolated init() {}
}

// swiftui/label
public struct Label<Title: View, Icon: View>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { lines = icon().lines + title().lines }
}

extension Label where Title == Text, Icon == Image {
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) { lines = ["[\(name)] \(title)"] }

    public init(_ titleKey: LocalizedStringKey, systemImage name: String) { lines = ["[\(name)] \(titleKey.text)"] }
}

// swiftui/button
public struct Button<Label: View>: View {
    public let lines: [String]
    public let action: @MainActor () -> Void
    public var body: Never { fatalError("a view of texts alone") }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        lines = ["(\(titleKey.text))"]
        self.action = action
    }
}

// swiftui/horizontalalignment
public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = HorizontalAlignment()
}

// swiftui/vstack
public struct VStack<Content: View>: View {
    private let content: Content
    public var lines: [String] { content.lines }
    public var body: Never { fatalError("a view of texts alone") }

    public init(alignment: HorizontalAlignment = .leading, @ViewBuilder content: () -> Content) { self.content = content() }
}

// swiftui/hstack
public struct HStack<Content: View>: View {
    private let content: Content
    public var lines: [String] { content.lines }
    public var body: Never { fatalError("a view of texts alone") }

    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// swiftui/list
public struct List<Content: View>: View {
    private let content: Content
    public var lines: [String] { content.lines }
    public var body: Never { fatalError("a view of texts alone") }

    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    /// The content is made later there, so that it escapes.
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        lines = data.flatMap { content($0).lines }
    }
}

// swiftui/section
public struct Section<Parent: View, Content: View, Footer: View>: View {
    public let lines: [String]
    public var body: Never { fatalError("a view of texts alone") }

    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer) {
        lines = header().lines.map { "# \($0)" } + content().lines + footer().lines.map { "— \($0)" }
    }
}
