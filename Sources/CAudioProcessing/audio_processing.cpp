#include "audio_processing.h"

#include <memory>
#include <new>

#include <webrtc/common.h>
#include <webrtc/modules/audio_processing/include/audio_processing.h>

namespace {

constexpr int rate = 16000;
constexpr int block_samples = rate / 100;

void widen(const int16_t *block, float *samples) {
  for (int i = 0; i < block_samples; i++) samples[i] = block[i] / 32768.0f;
}

void narrow(const float *samples, int16_t *block) {
  for (int i = 0; i < block_samples; i++) {
    float value = samples[i] * 32768.0f;
    block[i] = value >= 32767.0f ? 32767 : value <= -32768.0f ? -32768 : static_cast<int16_t>(value);
  }
}

}  // namespace

struct parley_apm {
  std::unique_ptr<webrtc::AudioProcessing> processing;
  bool cancels_echo;
  webrtc::StreamConfig stream{rate, 1, false};
};

parley_apm *parley_apm_create(int cancels_echo) {
  webrtc::Config config;
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
  config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
  std::unique_ptr<webrtc::AudioProcessing> processing(webrtc::AudioProcessing::Create(config));
  if (!processing) return nullptr;
  processing->high_pass_filter()->Enable(true);
  processing->noise_suppression()->set_level(webrtc::NoiseSuppression::kModerate);
  processing->noise_suppression()->Enable(true);
  processing->voice_detection()->set_likelihood(webrtc::VoiceDetection::kLowLikelihood);
  processing->voice_detection()->Enable(true);
  if (cancels_echo) {
    // The low level mangles the user's words least, and with the extended filter it is enough.
    processing->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kLowSuppression);
    processing->echo_cancellation()->enable_drift_compensation(false);
    processing->echo_cancellation()->Enable(true);
  }
  return new (std::nothrow) parley_apm{std::move(processing), cancels_echo != 0};
}

void parley_apm_render(parley_apm *apm, const int16_t *block) {
  float samples[block_samples];
  float *channels[] = {samples};
  widen(block, samples);
  apm->processing->ProcessReverseStream(channels, apm->stream, apm->stream, channels);
}

int parley_apm_capture(parley_apm *apm, const int16_t *block, int delay_milliseconds, int16_t *cleaned) {
  float samples[block_samples];
  float *channels[] = {samples};
  widen(block, samples);
  // Without this call, or with a wrong number, a long delay is never found.
  if (apm->cancels_echo) apm->processing->set_stream_delay_ms(delay_milliseconds);
  int code = apm->processing->ProcessStream(channels, apm->stream, apm->stream, channels);
  if (code != 0) return code < 0 ? code : -code;
  narrow(samples, cleaned);
  return apm->processing->voice_detection()->stream_has_voice() ? 1 : 0;
}

void parley_apm_destroy(parley_apm *apm) { delete apm; }
