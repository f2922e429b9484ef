// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// swiftui/app
/// An app that never shows a window: its main function makes it, and asks for its scenes once.
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() { _ = Self().body }
}

// swiftui/scene
@MainActor @preconcurrency public protocol Scene {}

extension Scene {
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some Scene {
        if initial { action(value, value) }
        return self
    }
}

// swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) { _ = content() }
}

// swiftui/state
@propertyWrapper public struct State<Value> {
    public let wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// swiftui/scenephase
public enum ScenePhase: Comparable, Sendable {
    case background
    case inactive
    case active
}

// swiftui/environmentvalues
public struct EnvironmentValues: Sendable {
    public var scenePhase: ScenePhase { .active }
}

// swiftui/environment
@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { wrappedValue = EnvironmentValues()[keyPath: keyPath] }
}
