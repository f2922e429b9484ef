import SyncSystem
import Testing

@testable import AuditLog

@Suite struct SystemCallsTests {
    @Test(arguments: [EINTR, EIO])
    func aCallThatSucceedsIsNoFailureWhateverFailedBeforeIt(number: Int32) throws {
        let directory = try LogDirectory()
        let descriptor = unsafe open(directory.path + "/file", O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let calls = SystemCalls()
        errno = number
        #expect(calls.synchronize(descriptor) == 0)
        errno = number
        #expect(calls.truncate(descriptor, 0) == 0)
        errno = number
        #expect(try calls.read(descriptor, at: 0, count: 4) == [])
    }

    @Test func aDirectoryIsMadeWithThoseAboveIt() throws {
        let path = try LogDirectory().path + "/a/b/c"
        for _ in 0..<2 { try SystemCalls().makeDirectory(path) }
        #expect(SystemCalls().status(of: path) != nil)
        #expect(throws: Errno(number: ENOTDIR)) { try SystemCalls().makeDirectory("/dev/null/a") }
    }

    @Test func aLockThatCannotBeHadIsNotWaitedFor() {
        #expect(throws: Errno(number: EBADF)) { try SystemCalls().lock(-1) }
    }
}
