// Carries the include path and the link flag of a C++ library; its own headers are read by CAudioProcessing only.
