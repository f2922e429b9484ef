import SyncBytes
import SyncLayer
import SyncLines

/// An error of a call as it crosses a network: a status, the code of a ``/SyncLayer/SyncLayerError`` where it has one, and a sentence.
struct WireFailure: Error {
    let status: Int
    let code: SyncLayerError.Code?
    /// A sentence without its full stop.
    let message: String

    init(_ status: Int, _ message: String, code: SyncLayerError.Code? = nil) {
        (self.status, self.message, self.code) = (status, message, code)
    }

    /// An error of a hub, with the status that says most of it.
    init(_ error: SyncLayerError) {
        let status =
            switch error.code {
            case .invalidValue: 422
            case .batchTooLarge: 413
            case .hubReplaced: 409
            case .deviceForgotten: 410
            case .hubUnavailable, .busy: 503
            case .diskFull: 507
            default: 500
            }
        self.init(status, error.description, code: error.code)
    }

    /// An error of whatever kind, met while a request or an answer was read.
    init(any error: any Error) {
        switch error {
        case let failure as WireFailure: self = failure
        case let error as SyncLayerError: self.init(error)
        case let error as LineError: self.init(400, error.problem)
        // As where the server is stopped while somebody waits.
        case is CancellationError: self.init(503, "the server stopped before it could answer: try again")
        case let error as CutOff: self.init(400, "the body was cut off: \(error.problem)")
        // What it says may be about what nobody outside should know of.
        default: self.init(500, "the server has failed; its own log says how")
        }
    }

    /// Reads the failure that a response states.
    ///
    /// - Returns: Nil where the response is a success.
    init?(_ response: WireResponse, limit: Int) {
        if (200..<300).contains(response.status) { return nil }
        status = response.status
        // A proxy answers with a page of its own.
        let body = (try? WireBody.content(of: response.body, limit: limit)) ?? []
        let error = LineFields(parsing: body.span).flatMap { try? $0.object("error") }
        code = error.flatMap { try? $0.optionalString("code") }.flatMap(SyncLayerError.Code.init(name:))
        message = error.flatMap { try? $0.optionalString("message") } ?? "the server answered with status \(response.status)"
    }

    /// The answer that states the failure.
    var response: WireResponse {
        var buffer = LineBuffer()
        buffer.object { buffer in
            buffer.key("error")
            buffer.object { buffer in
                if let code { buffer.field("code", code.description) }
                buffer.field("message", message)
            }
        }
        var response = WireResponse(
            status: status, headers: ["Content-Type": WireBody.json, "Cache-Control": "no-store"], body: buffer.array)
        if status == 503 { response.headers["Retry-After"] = "5" }
        if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        return response
    }

    /// The error that a hub's caller gets.
    ///
    /// What has befallen the server's own store is none of the device's: an app that hears of a full disk thinks of its own.
    var error: SyncLayerError {
        let passedOn: [SyncLayerError.Code] = [
            .invalidValue, .batchTooLarge, .hubReplaced, .deviceForgotten, .hubUnavailable, .hubAtFault, .busy, .notAllowed, .rulesDiffer,
        ]
        if let code, passedOn.contains(code) { return SyncLayerError(code, message) }
        switch status {
        case 413: return SyncLayerError(.batchTooLarge, "\(message): the batch is larger than a proxy before it takes")
        case 401, 403: return SyncLayerError(.notAllowed, message)
        case 400, 422: return SyncLayerError(.invalidValue, message)
        default: return SyncLayerError(.hubUnavailable, message)
        }
    }

    /// Whether a request that got a status may get another one a little later; a success that cannot be read was cut off.
    static func isPassing(_ status: Int) -> Bool { [200, 204, 408, 429, 502, 503, 504].contains(status) }
}
