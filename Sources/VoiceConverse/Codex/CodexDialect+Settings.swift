import VoiceJSON
package import VoiceVocabulary

/// The approval policy and the model, which a turn may name for itself and those behind it.
extension CodexDialect {
  /// When it asks, as a turn may name it.
  static let policies = ["untrusted", "on-request", "never"]

  /// What it is set to by now.
  var controls: AgentControls {
    let asks = Self.askingPolicies.contains(approval)
    let since = overrides["approvalPolicy"] == nil ? "" : ", from the next instruction on"
    let remark = (asks ? "it asks before it acts" : "it does not ask") + since
    return AgentControls(
      mode: .init(current: approval, offered: Self.policies, remark: remark),
      model: .init(current: model, offered: models))
  }

  package mutating func change(_ setting: AgentSetting, to value: String) {
    switch setting {
    case .mode:
      approval = value
      overrides["approvalPolicy"] = .string(value)
      description.capabilities.set(.ask, Self.askingPolicies.contains(value))
    case .model:
      model = value
      overrides["model"] = .string(value)
    }
    effects.append(.controls(controls))
  }

  /// The thread stands: what it is set to is told, and its models are asked for.
  mutating func settingsOpened(_ answer: JSON) {
    approval = answer["approvalPolicy"]?.string ?? policy.approval
    model = answer["model"]?.string ?? settings.model
    effects.append(.controls(controls))
    modelRequest = request("model/list", [:])
  }

  /// Its models, those that it shows to people.
  mutating func modelsTold(_ result: Result<JSON, RPCError>) {
    guard case .success(let answer) = result else { return }
    let shown = (answer["data"]?.elements ?? []).filter { $0["hidden"]?.bool != true }
    models = shown.compactMap { $0["model"]?.string ?? $0["id"]?.string }
    effects.append(.controls(controls))
  }
}
