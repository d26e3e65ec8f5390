import VoiceJSON

// The JSON form of OTLP traces, as far as it is used: field names in lower camel case, identifiers in hexadecimal,
// 64-bit numbers as text. Source: OpenTelemetry protocol specification 1.x, "JSON Protobuf Encoding".

/// A stretch of time with a name; its identifiers are hexadecimal.
struct TelemetrySpan {
  /// Whether somebody else is called.
  enum Kind: Int { case `internal` = 1, client = 3 }

  let traceID: String
  let spanID: String
  let parentSpanID: String?
  let name: String
  let kind: Kind
  let startNanoseconds: String
  let endNanoseconds: String
  var attributes: [TelemetryAttribute] = []
  /// Moments within it.
  var events: [JSON] = []
  /// Whether it failed.
  var hasFailed = false
  /// Why.
  var failure: String?

  /// As it is sent.
  var json: JSON {
    [
      "traceId": .string(traceID), "spanId": .string(spanID), "parentSpanId": parentSpanID.map { .string($0) },
      "name": .string(name), "kind": .integer(kind.rawValue), "startTimeUnixNano": .string(startNanoseconds),
      "endTimeUnixNano": .string(endNanoseconds), "attributes": .array(attributes.map(\.json)),
      "events": .array(events),
      "status": hasFailed ? ["code": 2, "message": failure.map { .string($0) }] : nil,
    ]
  }
}

/// A name with a value, which is the one field that names its type.
struct TelemetryAttribute {
  /// As it is sent.
  let json: JSON

  init(_ key: String, _ text: String) { self.init(key, "stringValue", .string(text)) }
  init(_ key: String, _ number: Int) { self.init(key, "intValue", .string(String(number))) }
  init(_ key: String, _ number: Double) { self.init(key, "doubleValue", .number(number)) }
  init(_ key: String, _ texts: [String]) {
    self.init(key, "arrayValue", ["values": .array(texts.map { ["stringValue": .string($0)] })])
  }

  private init(_ key: String, _ type: String, _ value: JSON) {
    json = ["key": .string(key), "value": .object([type: value])]
  }
}
