import CommandWorld
import Testing

/// Lines of many megabytes.
@Suite struct LongLineHistories {
    @Test func aLineOf64MebibytesIsRefusedWithoutBeingHeld() throws {
        try LongLineCheck().atTheEnd(64 << 20)
        try LongLineCheck().alone(64 << 20)
    }

    @Test func aLineOfManyMegabytesIsRefusedAndSkippedWhenLenient() throws {
        try LongLineCheck().longText(17 << 20)
    }
}
