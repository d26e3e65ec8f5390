// The JSON form of OTLP traces, as far as it is used: field names in lower camel case, identifiers in hexadecimal,
// 64-bit numbers as text. Source: OpenTelemetry protocol specification 1.x, "JSON Protobuf Encoding".

/// The body of an OTLP request for traces, in its JSON form (opentelemetry-proto, `trace_service`).
struct TelemetryRequest: Encodable {
  /// What one program sends.
  struct ResourceSpans: Encodable {
    var resource: TelemetryResource
    var scopeSpans: [ScopeSpans]
  }

  /// What one part of a program sends.
  struct ScopeSpans: Encodable {
    var scope: TelemetryScope
    var spans: [TelemetrySpan]
  }

  var resourceSpans: [ResourceSpans]
}

/// The program that sends.
struct TelemetryResource: Encodable { var attributes: [TelemetryAttribute] }

/// The part of the program that sends.
struct TelemetryScope: Encodable {
  var name: String
  var version: String
}

/// A stretch of time with a name; its identifiers are hexadecimal.
struct TelemetrySpan: Encodable {
  /// Whether somebody else is called.
  enum Kind: Int, Encodable { case `internal` = 1, client = 3 }

  /// A moment within a span.
  struct Event: Encodable {
    var timeUnixNano: String
    var name: String
    var attributes: [TelemetryAttribute]
  }

  /// Whether it went well.
  struct Status: Encodable {
    /// 2 is an error.
    var code: Int
    var message: String?
  }

  var traceId: String
  var spanId: String
  var parentSpanId: String?
  var name: String
  var kind: Kind
  var startTimeUnixNano: String
  var endTimeUnixNano: String
  var attributes: [TelemetryAttribute] = []
  var events: [Event] = []
  var status: Status?
}

/// A name with a value.
struct TelemetryAttribute: Encodable {
  /// Encoded as the one field that names its type.
  enum Value: Encodable {
    case text(String)
    case number(Int)
    case fraction(Double)
    case texts([String])

    private enum CodingKeys: String, CodingKey { case stringValue, intValue, doubleValue, arrayValue, values }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .text(let text): try container.encode(text, forKey: .stringValue)
      case .number(let number): try container.encode(String(number), forKey: .intValue)
      case .fraction(let number): try container.encode(number, forKey: .doubleValue)
      case .texts(let texts):
        var array = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .arrayValue)
        try array.encode(texts.map { Value.text($0) }, forKey: .values)
      }
    }
  }

  var key: String
  var value: Value

  init(_ key: String, _ text: String) { (self.key, value) = (key, .text(text)) }
  init(_ key: String, _ number: Int) { (self.key, value) = (key, .number(number)) }
  init(_ key: String, _ number: Double) { (self.key, value) = (key, .fraction(number)) }
  init(_ key: String, _ texts: [String]) { (self.key, value) = (key, .texts(texts)) }
}
