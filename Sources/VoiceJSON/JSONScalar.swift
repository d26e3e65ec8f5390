/// A type whose values JSON has itself.
protocol JSONScalar {
  /// The value that stands there; nil where it is of another kind, or does not fit.
  init?(json: JSON)

  /// The value in JSON.
  var json: JSON { get }
}

extension JSONScalar where Self: BinaryInteger {
  init?(json: JSON) {
    if case .integer(let number) = json {
      self.init(exactly: number)
    } else if let number = json.number {
      self.init(exactly: number)
    } else {
      return nil
    }
  }

  var json: JSON { Int(exactly: self).map(JSON.integer) ?? .number(Double(self)) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(json: JSON) {
    guard let number = json.number else { return nil }
    self.init(number)
  }

  /// As few digits as tell it from its neighbours, and none behind the point where it is whole.
  var json: JSON {
    if let whole = Int(exactly: self), whole.magnitude <= JSON.greatestNumber { return .integer(whole) }
    return .number(Double(description) ?? Double(self))
  }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension Float: JSONScalar {}
extension Double: JSONScalar {}

extension Bool: JSONScalar {
  init?(json: JSON) {
    guard let value = json.bool else { return nil }
    self = value
  }

  var json: JSON { .bool(self) }
}

extension String: JSONScalar {
  init?(json: JSON) {
    guard let value = json.string else { return nil }
    self = value
  }

  var json: JSON { .string(self) }
}
